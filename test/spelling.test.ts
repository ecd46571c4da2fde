import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// Everything people read is in American English (OPEN-POINTS 30).

const root = path.resolve(import.meta.dirname, '..')
const files = globSync('src/{contract,core,web,site,server}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))

const british =
  /\b(?:\w*(?:colour|behaviour|favour|honour|neighbour|catalogue|licence)\w*|(?:optim|anonym|organ|recogn|summar|priorit|custom|categor)is(?:e[ds]?|ing|ation)|analys(?:e[ds]?|ing)|centre[ds]?|cancelled|labelled|grey|e-mails?|sign(?:ed)? in|signs in)\b/i

/** Words that the command palette finds an entry by, whoever types them. */
const synonyms = 'color colour appearance mode'

/** What may be shown: quoted text of several words, and text between tags. */
function textsOf(file: string): string[] {
  const code = readFileSync(path.join(root, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  const quoted = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].filter(([, text = '']) => /^\p{L}[^{}=<>;$]* /u.test(text))
  const between = [...code.matchAll(/(?:>|^)\s*([A-Z][^<>{}=;()|]* [^<>{}=;()|]*)(?=[<{])/gm)]
  return [...quoted, ...between].map(([, text = '']) => text)
}

test('texts are spelled as in American English: optimization, color, anonymized; email, log in', () => {
  const texts = files.flatMap((file) => textsOf(file).map((text) => ({ file, text })))
  expect(texts.length).toBeGreaterThan(1_000)
  const found = texts.filter(({ text }) => text !== synonyms && british.test(text)).map(({ file, text }) => `${file}: ${text}`)
  expect(found).toEqual([])
})
