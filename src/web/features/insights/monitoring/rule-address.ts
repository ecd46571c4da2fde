import { paths } from '../../../paths.ts'

/** Where a rule is open to be changed. */
export const ruleAddress = (id: string): string => `${paths.alertSettings}?${new URLSearchParams({ rule: id })}`
