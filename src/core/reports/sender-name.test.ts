import { expect, test } from 'vitest'
import { pretends } from './sender-name.ts'

const operators = ['Ranklark', 'Search Desk', 'reports.desk.example', 'AB']

test.each([
  'Ranklark',
  'RANK LARK Support',
  'Ranklаrk billing', // a Cyrillic а
  'R4nk-1ark',
  'Ránklark',
  'Ｒａｎｋｌａｒｋ',
  'Rank\u200blark',
  'The Search Desk team',
  'reports.desk.example',
  'no-reply@bank.example',
  'ab',
  'Rank\u1160lark-Security', // fillers: letters that aren't shown
  'Ran\u115fklark\uffa0Support',
  'Rank\u3164lark',
  'Rank\u{e0061}lark',
  'R\u1d00\u0274\u1d0b\u029f\u1d00\u0280\u1d0b-Security', // small capitals
  'Rankłark',
  'ꓣꓮꓠꓗꓡꓮꓣꓗ', // Lisu
  'Ranĸlarĸ-Security', // the letter that Unicode maps other look-alikes of k to
  'Ꞧaƞꝃⱡaɾᶄ', // strokes and hooks
  '🆁🅰🅽🅺🅻🅰🆁🅺 Security', // symbols
  '🅡🅐🅝🅚🅛🅐🅡🅚 Security',
  '🇷🇦🇳🇰🇱🇦🇷🇰 Security',
  'ᎡᎪnkᏞᎪᎡᏦ', // Cherokee and Latin
  'ᎡᎪnkᏞark PROдвижение', // beside honest words
  'Ranӄlark-Security', // letters that no list of look-alikes has
  'Ranҝlark',
  'Ranҡlark',
  'Ranԟlark',
  'Raŋklark',
  'Raҥkӄark',
  'Rᶐnӄlark',
  'Ranꓸklark', // letters that look like punctuation
  'Ranʼklark',
  'Raːnklark',
  'RꞏaꞏnꞏkꞏlꞏaꞏrꞏK',
  'Rʼaʼnʼkʼlʼaʼrʼk',
  'Ranꓸӄlark', // both
])('%s could be mistaken for the operator, or for an address', (name) => expect(pretends(name, operators)).toBe(true))

test.each([
  'North Reports',
  'North & Co',
  'Abel Search',
  'Lark & Sons',
  'Ραν',
  '北レポート',
  'Łukasz',
  'Ødegård',
  'Zoë',
  '山田',
  'Ольга',
  'Ольга & Anna',
  'Agência Norte',
  'Đặng SEO',
  'Tシャツ屋',
  'K팝연구소',
  'µTorrent fans',
  '❤️ Reports',
  '🇫🇷 Reports',
  '🆕 Reports',
  // Two alphabets in one word
  'บริษัทABCจำกัด',
  'ร้านSEO',
  'PROдвижение',
  'SEOфейс',
  'Σigma',
  'Ωmega',
  'בGoogle',
  'SEOवाला',
  'Rank山田太郎',
  'Rankлидж',
  'Rank 北 Reports',
  'LarkのSEO',
  'Desk для Search',
])('%s is a distinct name', (name) => expect(pretends(name, operators)).toBe(false))

test('an operator whose own name is in another alphabet is told apart from names like it', () => {
  expect(pretends('山田商会', ['山田商店'])).toBe(false)
  expect(pretends('山本田商店SEO', ['山田商店'])).toBe(false)
  expect(pretends('山田商店SEO', ['山田商店'])).toBe(true)
})
