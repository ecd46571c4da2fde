import { dashboardScreens } from '../../support/every-screen/dashboard.ts'
import { lookAt } from '../../support/every-screen/look.ts'
import { test } from '../../support/screen-test.ts'

test.for(dashboardScreens)('$name: bars nobody, and fits a desk, a tablet and a phone', (screen, { desk, open }) =>
  lookAt(screen, { desk, open }),
)
