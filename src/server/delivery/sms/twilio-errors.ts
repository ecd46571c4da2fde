/** The meaning of a Twilio error (twilio.com/docs/api/errors): no message will reach this number, or the account is at fault. */
type Meaning = { kind: 'number'; says: string } | { kind: 'account' }

const check = 'Check the number or enter another one.'
const mobile = 'Enter a mobile number.'

const ofNumber: Record<number, string> = {
  21211: `This isn't a valid phone number. ${check}`,
  21214: `This number can't be reached. ${check}`,
  21217: `This isn't a valid phone number. ${check}`,
  21265: `This is a short code, which can't receive messages. ${mobile}`,
  21266: `This is the number we send messages from. ${mobile}`,
  21408: "This installation doesn't send text messages to this country. Ask your administrator, or enter another number.",
  21610: 'This number replied STOP. To get messages again, text START to the number they came from, then send a test.',
  21612: `Our number can't send messages to this number. ${check}`,
  21614: `This isn't a mobile number. ${mobile}`,
  21635: `This is a landline. ${mobile}`,
}

/** Bad credentials, an account without money or on trial, somebody else's sender, an invalid service. */
const ofAccount: readonly number[] = [
  20003, 20005, 20008, 20403, 20404, 21212, 21601, 21603, 21606, 21608, 21659, 21660, 21661, 21703, 21704, 21705,
]

export function meaningOf(code: number): Meaning | undefined {
  const says = ofNumber[code]
  if (says !== undefined) return { kind: 'number', says }
  return ofAccount.includes(code) ? { kind: 'account' } : undefined
}
