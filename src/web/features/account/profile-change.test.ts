import { expect, test } from 'vitest'
import type { User } from '../../../contract/user.ts'
import { profileChange } from './profile-change.ts'

const ann: User = {
  id: '1',
  username: 'ann',
  email: 'ann@example.test',
  emailVerified: true,
  pendingEmail: null,
  hasPassword: true,
  twoFactorEnabled: false,
  googleSignIns: [],
  plan: 'free',
  planChosen: true,
  siteLimit: 1,
  sitesMonitored: 1,
  sitesPaused: 0,
  selectedProperty: 'https://a.example/',
  accessToken: 'redacted',
  refreshToken: 'redacted',
  gscProperties: null,
  demo: false,
}
const names = { username: 'anna', email: 'anna@example.test' }

test('username and address are always sent, the property only if another one was selected', () => {
  expect(profileChange(ann, names)).toEqual(names)
  expect(profileChange(ann, { ...names, selectedProperty: 'https://a.example/' })).toEqual(names)
  expect(profileChange(ann, { ...names, selectedProperty: 'https://b.example/' })).toEqual({
    ...names,
    selectedProperty: 'https://b.example/',
  })
  expect(profileChange({ ...ann, selectedProperty: null }, names)).toEqual(names)
})
