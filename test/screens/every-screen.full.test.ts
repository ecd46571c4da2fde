import { accountScreens } from '../support/every-screen/account.ts'
import { alertScreens } from '../support/every-screen/alerts.ts'
import { dashboardScreens } from '../support/every-screen/dashboard.ts'
import { entryScreens } from '../support/every-screen/entry.ts'
import { lookCloselyAt } from '../support/every-screen/look.ts'
import { reportScreens } from '../support/every-screen/reports.ts'
import { ruleScreens } from '../support/every-screen/rules.ts'
import { test } from '../support/screen-test.ts'

const all = [entryScreens, dashboardScreens, alertScreens, ruleScreens, accountScreens, reportScreens].flat()

test.for(all)('$name: nothing bars anybody, in either theme, at a desk or on a phone, from 320 to 1,920 px', (screen, { desk, open }) =>
  lookCloselyAt(screen, { desk, open }),
)
