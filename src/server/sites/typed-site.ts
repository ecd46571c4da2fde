import { isReadable, noAccessWords } from '../../core/accounts/site-access.ts'
import { Refusal } from '../common/errors.ts'
import type { Connections } from './connections.ts'
import type { Account, SitesStore } from './store.ts'

/**
 * Makes a site that somebody typed in one of their properties, once Google has confirmed that their account may read it.
 * @throws Refusal 404 that names the form which would work, 403 when it gives no access to the site, 502 when Google does not answer
 */
export async function adoptTypedSite(
  { store, connections }: { store: SitesStore; connections: Connections },
  account: Account,
  name: string,
): Promise<void> {
  const { userId } = account
  const answer = await connections.site(userId, name)
  if (answer.ok) {
    if (!isReadable({ kind: 'google', ...answer.value })) throw new Refusal(403, noAccessWords([name]), 'sites')
    return store.addGoogleSite(account, answer.value)
  }
  if (answer.problem.kind !== 'permission_missing')
    throw new Refusal(502, `Couldn't check ${name} with Google: ${answer.problem.detail}`, 'sites')
  const other = await connections.otherForm(userId, name)
  throw new Refusal(
    404,
    other === null
      ? `Your Google account has no property ${name}. Enter it exactly as in Search Console, such as https://www.example.com/ or sc-domain:example.com.`
      : `Search Console lists this site as ${other}. Please enter it that way.`,
    'sites',
  )
}
