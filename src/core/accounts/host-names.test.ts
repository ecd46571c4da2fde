import { expect, test } from 'vitest'
import { looksLikeHost } from './host-names.ts'

test.each([
  'prize.c\u043em-now',
  'login.ranklark-verify.com',
  'win.a-prize.example.com',
  'WIN.Prize.COM',
  'prize.zip',
  'prize.de.',
  'prize.com-now',
  'prize.com_now',
  'prize.com.now1',
  'пример.рф',
  'prize.xn--p1ai',
  'prize.ｃｏｍ',
  'www.prize1',
  '192.0.2.1',
  'prize.com\u3164now',
  'prize.c\u1160om',
  'prizeꓸcom',
  'prizeꞏcom-now',
  'prizeㆍcom',
  'prize٠com',
])('%s could become a link in an email, or be typed as a host', (name) => expect(looksLikeHost(name)).toBe(true))

test.each(['ann', 'Ann.Lee', 'ann.smith', 'Ärzte.owner', 'ann-com', 'dot.commander', 'j.r.smith', 'ann.lee2', 'v1.2', 'com', 'ann_de'])(
  '%s is just a name',
  (name) => expect(looksLikeHost(name)).toBe(false),
)
