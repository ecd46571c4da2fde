import { screens } from '../../contract/screens.ts'

/** Monitored properties up to which logging in leads to the dashboard (SPEC §2); with more, people first want to know which one (decision 0066). */
const mostOnDashboard = 3

/** Where logging in leads. */
export const firstScreen = (monitored: number): string => (monitored > mostOnDashboard ? screens.sites : screens.dashboard)
