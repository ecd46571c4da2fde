import { findByName } from '../../accounts/service.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import { ImportRefusal, shown } from './refusal.ts'

/**
 * The account the command line means: the one with this username or confirmed email address; if none is named, the demo's (OPEN-POINTS 20)
 * in a demo, else the only account.
 * @throws ImportRefusal 404, 409 if it is ambiguous
 */
export async function findUser(db: Db, name: string | undefined, demo: boolean): Promise<string> {
  if (name !== undefined) {
    const userId = await findByName(db, name).catch((error: unknown) => {
      throw error instanceof Refusal ? new ImportRefusal(error.message, { field: 'user' }, error.status) : error
    })
    if (userId === null) throw new ImportRefusal(`There is no account "${shown(name)}"`, { field: 'user' }, 404)
    return userId
  }
  const open = db.selectFrom('people').where('closedAt', 'is', null).select('userId')
  const sample = demo ? await open.where('demo', '=', 'sample').executeTakeFirst() : undefined
  const users = await open.limit(2).execute()
  const chosen = sample ?? (users.length === 1 ? users[0] : undefined)
  if (chosen) return chosen.userId
  throw new ImportRefusal(
    users.length === 0
      ? 'There\'s no account yet: start Ranklark once with "npm start"'
      : 'There are several accounts: choose one with --user NAME',
    { field: 'user' },
    404,
  )
}
