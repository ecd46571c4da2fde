/** Passwords of this length take long enough to guess, unless they are among those tried first. */
const safeLength = 10

/** Rows of a keyboard and of the alphabet, along which fingers run. */
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm']
/** The same, two rows at a time. */
const zigzags = ['1q2w3e4r5t6y7u8i9o0p', '1qaz2wsx3edc4rfv5tgb6yhn', 'qazwsxedcrfvtgb', 'qweasdzxc']

const signs: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's', '7': 't' }

/**
 * A hint about a password somebody chooses; null if there is none. It is only advice: the server's own limits are in the contract.
 * @param own their own names, which attackers try first: username, email address
 */
export function passwordAdvice(password: string, own: readonly string[] = []): string | null {
  if (password === '') return null
  if (isCommon(password)) return 'This password is easy to guess. Choose another one.'
  if (holdsName(password, own)) return 'This password contains your name, which is easy to guess. Choose another one.'
  if (password.length < safeLength) return `Use at least ${safeLength} characters. Short passwords are easy to guess.`
  return null
}

function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  const unit = repeated(plain)
  if (unit.length <= 2 || isRun(plain) || isRun(unit)) return true
  const untailed = withoutTail(plain)
  return [plain, unit, untailed.replace(/^[^\p{L}]+/u, ''), spelled(plain), spelled(untailed)].some((word) => commonPasswords.has(word))
}

/** Ends with the last letter. Searched from the end: a regex for the part before it would retry at every character. */
function withoutTail(text: string): string {
  const characters = [...text]
  return characters.slice(0, characters.findLastIndex((character) => /\p{L}/u.test(character)) + 1).join('')
}

/** The repeated part of a text: `abc` of `abcabcabc`; otherwise the text itself. */
const repeated = (text: string): string => /^(.+?)\1+$/su.exec(text)?.[1] ?? text

/** `p@ssw0rd` as it reads, without digits and symbols at its end. */
const spelled = (text: string): string =>
  [...text]
    .map((sign) => signs[sign] ?? sign)
    .join('')
    .replace(/[^\p{L}]/gu, '')

/** One or two runs along the keyboard, up or down: `qwerty12345`. */
function isRun(text: string): boolean {
  const parts = /^(\p{L}*)(\d*)\P{L}?$/u.exec(text)?.slice(1).filter(Boolean) ?? []
  return isAlong(text) || (parts.length > 0 && parts.join('').length >= text.length - 1 && parts.every(isAlong))
}

const isAlong = (text: string): boolean => {
  const back = [...text].toReversed().join('')
  return text.length > 2 && [...rows, ...zigzags].some((row) => `${row}${row}`.includes(text) || `${row}${row}`.includes(back))
}

const holdsName = (password: string, own: readonly string[]): boolean => {
  const names = [...own, ...own.map((name) => name.split('@')[0] ?? '')].map((name) => name.toLowerCase()).filter((name) => name.length > 3)
  return names.some((name) => password.toLowerCase().includes(name))
}

/** Words from the most common leaked passwords, plus ours, without digits and symbols around them. */
const commonPasswords: ReadonlySet<string> = new Set(
  `password passwort passwd passw pass motdepasse contrasena parola senha geheim secret letmein letmeinnow welcome willkommen bienvenue
  hello hallo hola admin administrator root user guest test testing tester demo default changeme changeit login master superuser
  access temp temporary sample example qwerty qwertz azerty asdf zxcv qazwsx abc abcd abcdef iloveyou iloveu loveyou loveme lovely love
  princess prince angel sunshine flower butterfly dragon monkey tiger lion eagle shadow ninja samurai warrior hunter ranger killer
  football baseball basketball soccer hockey golf tennis cricket chelsea arsenal liverpool barcelona realmadrid juventus superman batman
  spiderman ironman starwars pokemon pikachu naruto minecraft fortnite computer internet samsung google facebook twitter instagram
  linkedin youtube microsoft windows apple android iphone amazon netflix adobe dropbox michael jordan jennifer jessica ashley daniel
  thomas andrew robert charlie george matthew joshua anthony william david richard nicole michelle hannah amanda summer winter spring
  autumn monday friday january february december freedom whatever trustno trustnoone nothing everything forever family friends friend
  mother father brother sister baby cookie chocolate cheese pepper ginger banana orange purple yellow silver golden diamond money
  dollar hardcore fuckyou asshole biteme mustang porsche ferrari mercedes harley corvette maverick phoenix matrix merlin gandalf
  starlight blessed jesus jesuschrist heaven england america canada london paris berlin germany france ranklark searchconsole seo ranking`
    .split(/\s+/)
    .filter(Boolean),
)
