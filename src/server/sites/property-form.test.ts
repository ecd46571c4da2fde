import { expect, test } from 'vitest'
import type { SiteEntry } from '../google/search-console.ts'
import { otherFormOf } from './property-form.ts'

const has = (...names: string[]): SiteEntry[] => names.map((siteUrl) => ({ siteUrl, permissionLevel: 'siteOwner' }))

test.each([
  ['the domain property of an address', 'https://www.x.com/', has('sc-domain:x.com'), 'sc-domain:x.com'],
  ['the address of a domain', 'sc-domain:x.com', has('https://www.x.com/'), 'https://www.x.com/'],
  ['the missing slash', 'https://x.com', has('https://x.com/'), 'https://x.com/'],
  ['https instead of http', 'http://x.com/', has('https://x.com/'), 'https://x.com/'],
  ['the bare host a person typed', 'x.com', has('https://x.com/'), 'https://x.com/'],
  ['the domain rather than the address', 'https://x.com', has('https://x.com/', 'sc-domain:x.com'), 'sc-domain:x.com'],
  ['the domain above a subdomain', 'https://shop.x.com/', has('sc-domain:x.com'), 'sc-domain:x.com'],
  ['no other site', 'https://x.com/', has('https://y.com/', 'sc-domain:x.com.evil.com', 'sc-domain:ax.com'), null],
  ['nothing when the form is right', 'https://x.com/', has('https://x.com/', 'sc-domain:x.com'), null],
  ["nothing for what isn't a URL", '::', has('https://x.com/'), null],
  ['nothing that may not be read', 'https://x.com', [{ siteUrl: 'https://x.com/', permissionLevel: 'siteUnverifiedUser' as const }], null],
])('finds %s', (_name, name, sites, expected) => {
  expect(otherFormOf(name, sites)).toBe(expected)
})
