/** Two-digit country codes (ITU-T E.164); those beginning with 1 or 7 have one digit, all others three. */
const twoDigits = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** `+44 •••• 1234` for a number with its country: enough for its owner to recognize. */
export function shownNumber(number: string): string {
  const digits = number.replace(/^\+/, '')
  const country = digits.slice(0, /^[17]/.test(digits) ? 1 : twoDigits.test(digits) ? 2 : 3)
  return `+${country} •••• ${digits.slice(country.length).slice(-4)}`
}

/** `a•••@example.com`: enough for its owner to recognize, too little for the holder of a forwarded email. */
export const maskedAddress = (address: string): string => address.replace(/^(.)[^@]*/u, '$1•••')
