/** What an error of Twilio's means (twilio.com/docs/api/errors): no message will reach this number, or the account is at fault. */
type Meaning = { kind: 'number'; says: string } | { kind: 'account' }

const check = 'Check the number, or enter another one.'
const mobile = 'Enter the number of a mobile phone.'

const ofNumber: Record<number, string> = {
  21211: `This is not a telephone number. ${check}`,
  21214: `This number cannot be reached. ${check}`,
  21217: `This is not a telephone number. ${check}`,
  21265: `This is a short code, which cannot receive messages. ${mobile}`,
  21266: `This is the number that the messages come from. ${mobile}`,
  21408: 'This installation does not send text messages to this country. Ask whoever runs it, or enter another number.',
  21610: 'This number replied STOP. Text START to the number that the messages came from to get them again, then send a test.',
  21612: `This number cannot be reached from the number that the messages come from. ${check}`,
  21614: `This is not a mobile number. ${mobile}`,
  21635: `This is a landline. ${mobile}`,
}

/** Credentials, an account without money or on trial, a sender that is not its own, a service that is none. */
const ofAccount: readonly number[] = [
  20003, 20005, 20008, 20403, 20404, 21212, 21601, 21603, 21606, 21608, 21659, 21660, 21661, 21703, 21704, 21705,
]

export function meaningOf(code: number): Meaning | undefined {
  const says = ofNumber[code]
  if (says !== undefined) return { kind: 'number', says }
  return ofAccount.includes(code) ? { kind: 'account' } : undefined
}
