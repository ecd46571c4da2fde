import { tooManyProperties } from '../../core/accounts/property-limit.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import { isReadable, noAccessWords } from '../../core/accounts/site-access.ts'
import { Refusal } from '../common/errors.ts'
import type { Connections } from './connections.ts'
import type { Account, SitesStore } from './store.ts'

/**
 * Makes a typed site one of the person's properties, once Google has confirmed that their account can read it.
 * @throws Refusal 404 naming the form that would work, 403 without access to the site, 409 without room for it, 502 if Google doesn't answer
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
    if (await store.addGoogleSite(account, answer.value)) return
    throw new Refusal(409, tooManyProperties, 'sites')
  }
  if (answer.problem.kind !== 'permission_missing')
    throw new Refusal(502, `Couldn't check ${propertyName(name)} with Google: ${answer.problem.detail}`, 'sites')
  const other = await connections.otherForm(userId, name)
  throw new Refusal(
    404,
    other === null
      ? `Your Google account has no property ${name}. Enter it exactly as in Search Console, such as https://www.example.com/ or sc-domain:example.com.`
      : `Search Console lists this site as ${other}. Please enter it that way.`,
    'sites',
  )
}
