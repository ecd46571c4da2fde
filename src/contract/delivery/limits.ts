/** Maximum number of text messages about alerts per day, from one account and to one number. */
export const alertTextsADay = 50
/** Maximum number of codes per day, for one account and to one number. */
export const codesADay = 5
/** Maximum number of alert emails per day from one account. */
export const alertMailsADay = 500
