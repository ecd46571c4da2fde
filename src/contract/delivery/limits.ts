/** Most text messages about alerts per day, from one account and to one number. */
export const alertTextsADay = 50
/** Most codes per day, for one account and to one number. */
export const codesADay = 5
/** Most alert emails per day from one account. */
export const alertMailsADay = 500
