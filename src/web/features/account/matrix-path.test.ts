import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { matrixPath } from './matrix-path.ts'

test('one rectangle for each run of dark modules', () => {
  const [o, x] = [false, true]
  expect(matrixPath([])).toBe('')
  expect(
    matrixPath([
      [x, x, o, x],
      [o, o, o, o],
      [o, x, o, o],
    ]),
  ).toBe('M0 0h2v1h-2zM3 0h1v1h-1zM1 2h1v1h-1z')
})

test('for a QR code it covers exactly the dark modules', () => {
  const { data, size } = encode('otpauth://totp/Ranklark:ann?secret=JBSWY3DPEHPK3PXP&issuer=Ranklark')
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, length] of matrixPath(data).matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let at = Number(x); at < Number(x) + Number(length); at += 1) drawn[Number(y)]![at] = true
  }
  expect(drawn).toEqual(data)
})
