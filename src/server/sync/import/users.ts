import { findByName } from '../../accounts/service.ts'
import type { Db } from '../../database/open.ts'
import { ImportRefusal, shown } from './refusal.ts'

/** The account that `npm start` makes where there are no Google keys (OPEN-POINTS 20). */
const demoUser = 'demo'

/**
 * Whose import the command line means: the account of this name or e-mail address; without one the
 * demo account, else the only account there is.
 * @throws ImportRefusal 404
 */
export async function findUser(db: Db, name: string | undefined): Promise<string> {
  if (name !== undefined) {
    const userId = await findByName(db, name)
    if (userId === null) throw new ImportRefusal(`There is no account "${shown(name)}"`, { field: 'user' }, 404)
    return userId
  }
  const users = await db.selectFrom('users').select(['id', 'username']).orderBy('createdAt').limit(1000).execute()
  const demo = users.find((user) => user.username === demoUser)
  const chosen = demo ?? (users.length === 1 ? users[0] : undefined)
  if (chosen) return chosen.id
  throw new ImportRefusal(
    users.length === 0
      ? 'There is no account yet: start Ranklark once with "npm start"'
      : 'There are several accounts: say whose the data is with --user NAME',
    { field: 'user' },
    404,
  )
}
