import { cross } from './lexicon.ts'
import type { Lexicon, Words } from './lexicon.ts'

const lamps = ['table lamp', 'floor lamp', 'pendant light', 'wall light', 'lamp shade', 'desk lamp']
const textiles = ['throw', 'cushion cover', 'area rug', 'curtains', 'table runner', 'bedspread']
const lampMaterials = ['rattan', 'linen', 'ceramic', 'smoked glass', 'brass', 'paper', 'walnut', 'travertine']
const cloths = ['linen', 'mohair', 'boucle', 'jute', 'organic cotton', 'velvet', 'merino wool', 'hemp']

const forLamps: Words = {
  before: [
    '',
    'best',
    'modern',
    'large',
    'small',
    'cheap',
    'handmade',
    'black',
    'white',
    'vintage',
    'buy',
    'designer',
    'mid century',
    'scandi',
  ],
  after: [
    '',
    'uk',
    'sale',
    'for bedroom',
    'for living room',
    'ideas',
    'online',
    'set of 2',
    'near me',
    'with dimmer',
    'for small spaces',
    'reviews',
    'cordless',
    'next day delivery',
    'e27',
    'gift',
    'boho',
  ],
}
const forTextiles: Words = {
  before: ['', 'best', 'large', 'small', 'cheap', 'handmade', 'natural', 'white', 'soft', 'washable', 'buy', 'luxury', 'scandi', 'striped'],
  after: [
    '',
    'uk',
    'sale',
    'for bedroom',
    'for living room',
    'ideas',
    'online',
    'set of 2',
    'near me',
    'reviews',
    'neutral',
    'boho',
    'next day delivery',
    'natural colour',
    'gift',
    'extra large',
    'care',
  ],
}
const forQuestions: Words = {
  before: [''],
  after: [
    '',
    'at home',
    'safely',
    'step by step',
    'video',
    'uk',
    'cost',
    'tips',
    'without damage',
    'guide',
    'chart',
    'in cm',
    'examples',
    'reddit',
  ],
}

const questions = [
  'how to hang a pendant light',
  'how to clean a rattan lamp',
  'what size rug for a living room',
  'how to wash linen curtains',
  'layered lighting ideas',
  'boucle or velvet',
  'how high to hang wall lights',
  'lamp shade size',
  'warm white or cool white',
  'hygge bedroom lighting',
  'how to steam curtains',
  'jute rug care',
]

/** Lumen & Loom: an online shop for lamps and home textiles. */
export const shopLexicon: Lexicon = {
  brand: [
    'lumen and loom',
    'lumen & loom',
    'lumenandloom',
    'lumen loom lamps',
    'lumen and loom discount code',
    'lumen and loom reviews',
    'lumen and loom returns',
    'lumen loom rugs',
  ],
  words: forLamps,
  sections: [
    { path: 'collections/{slug}', subjects: lamps, weight: 9, position: 9, appearances: ['MERCHANT_LISTINGS'] },
    { path: 'collections/{slug}', subjects: textiles, words: forTextiles, weight: 7, position: 9, appearances: ['MERCHANT_LISTINGS'] },
    {
      path: 'products/{slug}',
      subjects: cross(lampMaterials, lamps),
      weight: 2.2,
      position: 7,
      appearances: ['PRODUCT_SNIPPETS', 'MERCHANT_LISTINGS'],
    },
    {
      path: 'products/{slug}',
      subjects: cross(cloths, textiles),
      words: forTextiles,
      weight: 2,
      position: 7,
      appearances: ['PRODUCT_SNIPPETS', 'MERCHANT_LISTINGS'],
    },
    { path: 'journal/{slug}', subjects: questions, words: forQuestions, weight: 3.5, position: 6, appearances: ['REVIEW_SNIPPET'] },
    {
      path: 'rooms/{slug}',
      subjects: [
        'living room lighting',
        'bedroom lamps',
        'hallway lights',
        'nursery lighting',
        'dining room pendant lights',
        'reading nook lamps',
      ],
      weight: 4,
      position: 11,
    },
    {
      path: 'pages/{slug}',
      subjects: ['sustainable home textiles', 'trade discount lighting', 'handmade lamps'],
      words: forQuestions,
      weight: 0.8,
      position: 10,
    },
  ],
}
