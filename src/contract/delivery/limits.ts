/** Most text messages about alerts that one account sends, and that one number gets, in a day. */
export const alertTextsADay = 50
/** Most codes that one account asks for, and that one number gets, in a day. */
export const codesADay = 5
/** Most emails about alerts that one account sends in a day. */
export const alertMailsADay = 500
