// Each names itself; most also name others whose pages they want, so the order matters.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bChromium\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\/|\biPhone\b.*\bAppleWebKit\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: readonly (readonly [RegExp, string, handheld: boolean])[] = [
  [/\biPhone\b/, 'iPhone', true],
  [/\biPad\b/, 'iPad', true],
  [/\bAndroid\b/, 'Android', true],
  [/\bCrOS\b/, 'ChromeOS', false],
  [/\bWindows\b/, 'Windows', false],
  [/\bMacintosh\b/, 'macOS', false],
  [/\bLinux\b|\bX11\b/, 'Linux', false],
]

/** The browser behind a `User-Agent`, as a person would call it: "Firefox on Windows". */
export function deviceOf(userAgent: string | null): { name: string; handheld: boolean } {
  const agent = userAgent ?? ''
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1]
  const [, system, handheld] = systems.find(([pattern]) => pattern.test(agent)) ?? [null, undefined, false]
  const name = [browser, system].filter((part) => part !== undefined).join(' on ')
  return { name: name === '' ? 'Unknown browser' : name, handheld }
}
