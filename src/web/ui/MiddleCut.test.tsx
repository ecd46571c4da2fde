import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MiddleCut, tailAt } from './MiddleCut.tsx'

const halves = (text: string): [string, string] => [text.slice(0, tailAt(text)), text.slice(tailAt(text))]

test('a name is cut at a separator near its end, else 12 characters before it', () => {
  expect(halves('/lamps/table-lamps/oak-table-lamp-2024')).toEqual(['/lamps/table-lamps/oak-table', '-lamp-2024'])
  expect(halves('/lamps/oaktablelampnumber12')).toEqual(['/lamps/oaktable', 'lampnumber12'])
})

test.for([
  '/தமிழ்-செய்திகள்இன்றையநாள்',
  '/हिन्दीसमाचारपत्रक्षत्रिय',
  '/lamp-💡bcdefghijkl',
  '/cafe\u0301s/e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301',
  '/family/👨‍👩‍👧‍👦👨‍👩‍👧‍👦',
])('characters of several code points stay whole: %s', (text) => {
  const characters = [...new Intl.Segmenter().segment(text)].map(({ index }) => index)
  expect(tailAt(text)).toBeGreaterThan(0)
  expect(characters).toContain(tailAt(text))
})

test.for(['/מנורות-שולחן-לבית', '/مصابيح-طاولة-للمنزل', '/lamps'])('%s stays in one piece', (text) => {
  expect(tailAt(text)).toBe(0)
  expect(renderToStaticMarkup(<MiddleCut text={text} />)).toMatch(new RegExp(`^<span [^>]*><bdi [^>]*>${text}</bdi></span>$`))
})

test('screen readers get the whole name once, as one word', () => {
  const markup = renderToStaticMarkup(<MiddleCut text="lumenandloom.example" />)
  const spoken = markup.replaceAll(/<span aria-hidden="true"[^>]*>[^<]*<\/span>/g, '').replaceAll(/<[^>]*>/g, '')
  expect(spoken).toBe('lumenandloom.example')
})
