/** The same season a year ago: whole weeks back, give or take three days, and the share of that change taken as seasonal. */
export const yearDays = 364
export const yearSlack = 3
export const explained = 0.9
