import { accountScreens } from './account.ts'
import { alertScreens } from './alerts.ts'
import { dashboardScreens } from './dashboard.ts'
import { entryScreens } from './entry.ts'
import { reportScreens } from './reports.ts'
import { ruleScreens } from './rules.ts'
import type { Screen } from './screen.ts'

export const everyScreen: readonly Screen[] = [
  entryScreens,
  dashboardScreens,
  alertScreens,
  ruleScreens,
  accountScreens,
  reportScreens,
].flat()
