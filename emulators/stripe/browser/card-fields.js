// Formats and checks what is typed into the card form.

const digits = (text) => text.replaceAll(/\D/g, '')

const fitsLuhn = (number) =>
  [...number].toReversed().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

const isAmex = (number) => /^3[47]/.test(number)

/** Groups of four as on the card; American Express differs. */
export function formatNumber(text) {
  const number = digits(text).slice(0, 19)
  return isAmex(number)
    ? [number.slice(0, 4), number.slice(4, 10), number.slice(10, 15)].filter(Boolean).join(' ')
    : (number.slice(0, 16).match(/.{1,4}/g) ?? []).join(' ')
}

/** `MM / YY`, whatever separator is typed. */
export function formatExpiry(text) {
  const typed = digits(text)
  const padded = /^[2-9]/.test(typed) ? `0${typed}` : typed
  const [month, year] = [padded.slice(0, 2), padded.slice(2, 4)]
  return padded.length > 2 ? `${month} / ${year}` : month
}

export const formatCvc = (text) => digits(text).slice(0, 4)

export function readCard({ number, expiry, cvc }) {
  const [month = '', year = ''] = expiry.split('/').map(digits)
  return { number: digits(number), exp_month: month, exp_year: year === '' ? '' : `20${year}`, cvc: digits(cvc) }
}

/** What is wrong with a field, in Stripe's words; null: nothing. */
export function problemOf(field, values, now) {
  const card = readCard(values)
  const problem = (code, message) => ({ type: 'validation_error', code, message })
  if (field === 'number') {
    const long = isAmex(card.number) ? 15 : 16
    if (card.number.length < long) return problem('incomplete_number', 'Your card number is incomplete.')
    return fitsLuhn(card.number) ? null : problem('invalid_number', 'Your card number is invalid.')
  }
  if (field === 'expiry') {
    if (card.exp_month.length < 2 || card.exp_year.length < 4) {
      return problem('incomplete_expiry', "Your card's expiration date is incomplete.")
    }
    const [month, year] = [Number(card.exp_month), Number(card.exp_year)]
    if (month < 1 || month > 12) return problem('invalid_expiry_month', "Your card's expiration date is invalid.")
    if (year < now.getFullYear()) return problem('invalid_expiry_year_past', "Your card's expiration year is in the past.")
    const past = year === now.getFullYear() && month < now.getMonth() + 1
    return past ? problem('invalid_expiry_month_past', "Your card's expiration date is in the past.") : null
  }
  return card.cvc.length < (isAmex(card.number) ? 4 : 3) ? problem('incomplete_cvc', "Your card's security code is incomplete.") : null
}
