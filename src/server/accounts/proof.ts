import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Caller } from './caller.ts'
import type { createPasswords } from './passwords/passwords.ts'
import type { Person } from './person.ts'

export type ProofDeps = {
  db: Db
  passwords: Pick<ReturnType<typeof createPasswords>, 'matches'>
  tokenOf: (caller: Caller) => string | null
}

/** Proving one's identity again: a session may have been taken over since it began (the contract's endpoints say what requires it). */
export function createProof({ db, passwords, tokenOf }: ProofDeps) {
  /** The caller's session has just proven its identity. */
  async function note(userId: string, caller: Caller): Promise<void> {
    const token = tokenOf(caller)
    if (token === null) return
    await db
      .updateTable('sessions')
      .set({ provenAt: sql<Date>`now()` })
      .where('token', '=', token)
      .where('userId', '=', userId)
      .execute()
  }

  return {
    note,

    /** @throws Refusal 403 for a wrong password, 409 without one, 429 after too many wrong ones */
    async byPassword({ id, hasPassword }: Person, password: string, caller: Caller): Promise<void> {
      if (!hasPassword) throw new Refusal(409, "Your account has no password. Log in with Google to confirm it's you.")
      if (!(await passwords.matches(id, password, caller.address))) throw new Refusal(403, 'Incorrect password.', 'password')
      await note(id, caller)
    },
  }
}
