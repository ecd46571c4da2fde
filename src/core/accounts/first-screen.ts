import { screens } from '../../contract/screens.ts'

/**
 * Up to this many monitored properties, login leads to the dashboard (SPEC §2); with more, people first want to pick one (decision 0066).
 */
const mostOnDashboard = 3

/** Where login leads. */
export const firstScreen = (monitored: number): string => (monitored > mostOnDashboard ? screens.sites : screens.dashboard)
