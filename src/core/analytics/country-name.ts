// Google names countries by three letters (ISO 3166-1 alpha-3); the browser knows their names by two. These are mostly the first two of the
// three, else the first and the last; only a few differ.

const firstAndLast =
  'abw ago and are arm atg aut bdi bgd bhs blz brb brn caf chl chn cod cog cok cpv cuw dnk esh flk fro fsm gin glp gnq grd ' +
  'grl guf guy irq jam kaz kor lbr lby maf mdg mdv mex mlt mne mnp moz mtq niu pak pcn plw png pol prt pry pyf sen slb slv ' +
  'sur svk swe swz syc tcd tkm tun tur tuv ury wlf'

const others: Readonly<Record<string, string>> = {
  ala: 'AX',
  ata: 'AQ',
  atf: 'TF',
  ben: 'BJ',
  bes: 'BQ',
  bih: 'BA',
  blr: 'BY',
  com: 'KM',
  cym: 'KY',
  est: 'EE',
  gnb: 'GW',
  irl: 'IE',
  isr: 'IL',
  mac: 'MO',
  myt: 'YT',
  prk: 'KP',
  sgs: 'GS',
  spm: 'PM',
  srb: 'RS',
  svn: 'SI',
  ukr: 'UA',
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** The name of a country that Google calls `usa`; `zzz` is unknown to Google. */
export function countryName(code: string): string {
  const alpha3 = code.toLowerCase()
  if (alpha3 === 'zzz') return 'Unknown region'
  const known = /^[a-z]{3}$/.test(alpha3) ? names.of(alpha2(alpha3)) : undefined
  return known ?? code.toUpperCase()
}

function alpha2(alpha3: string): string {
  const [first = '', second = '', third = ''] = alpha3
  return (others[alpha3] ?? first + (firstAndLast.includes(alpha3) ? third : second)).toUpperCase()
}

/** A country within a sentence: English puts an article before some, as in “the United States”. @param country its name */
export const articleOf = (country: string): string =>
  /^(United|Netherlands|Philippines|Bahamas|Maldives|Gambia|Isle)|(Islands|Republic)$/.test(country) ? 'the ' : ''
