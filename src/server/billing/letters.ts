import type { AccountsService } from '../accounts/service.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Letter } from './store.ts'

export type LettersDeps = {
  accounts: Pick<AccountsService, 'person'>
  mailer: Mailer
  /** The names of somebody's sites beyond their plan. */
  pausedSites: (userId: string) => Promise<string[]>
}

export type Write = (userId: string, letter: Letter) => Promise<void>

/** Emails somebody about their plan; nobody if the account is gone. */
export function createLetters({ accounts, mailer, pausedSites }: LettersDeps): Write {
  return async (userId, { kind, plan, at }) => {
    const person = await accounts.person(userId)
    if (!person) return
    const about = { to: person.email, username: person.username, plan }
    switch (kind) {
      case 'plan-changed':
        return mailer.send({ kind, ...about, nextChargeAt: at })
      case 'payment-failed':
        return mailer.send({ kind, ...about, nextAttemptAt: at })
      case 'plan-ended':
        return mailer.send({ kind, ...about, pausedSites: await pausedSites(userId) })
    }
  }
}
