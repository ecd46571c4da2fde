import { expect, test } from 'vitest'
import { actionLink, alertConsoleLink, reportLink, searchConsoleLink } from './links.ts'

const baseUrl = 'https://ranklark.example'

test('links to reports, and to Search Console only for its own properties', () => {
  expect(reportLink(baseUrl, '12')).toBe('https://ranklark.example/alerts/12')
  expect(searchConsoleLink('sc-domain:example.com')).toBe('https://search.google.com/search-console?resource_id=sc-domain%3Aexample.com')
  expect(searchConsoleLink('https://a.example/?x&y')).toContain('resource_id=https%3A%2F%2Fa.example%2F%3Fx%26y')
  expect(searchConsoleLink('old figures.zip')).toBeNull()
})

test('an alert about a page or query links to its report there, unless its URL is too long', () => {
  const days = { start: '2026-11-03', end: '2026-11-09' }
  const linkOf = (name: string, property = 'sc-domain:example.com') =>
    alertConsoleLink(property, { entity: { kind: 'query', name }, current: days }, 300)
  expect(linkOf('oak lamp')).toBe(
    'https://search.google.com/search-console/performance/search-analytics?resource_id=sc-domain%3Aexample.com&query=%21oak+lamp&start_date=20261103&end_date=20261109',
  )
  expect(linkOf('lamp '.repeat(100))).toBe(searchConsoleLink('sc-domain:example.com'))
  expect(linkOf('oak lamp', 'old figures.zip')).toBeNull()
})

test.each([
  ['/account', 'https://ranklark.example/account'],
  ['https://search.google.com/search-console', 'https://search.google.com/search-console'],
])('the fix: %s', (href, url) => {
  expect(actionLink(baseUrl, { label: 'Mend it', href })).toEqual({ label: 'Mend it', url })
})

test.each(['//evil.example/', 'javascript:alert(1)', 'data:text/html,x', 'https://', 'account'])("%s isn't a valid link", (href) => {
  expect(actionLink(baseUrl, { label: 'Mend it', href })).toBeNull()
})
