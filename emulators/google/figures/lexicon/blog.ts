import { cross } from './lexicon.ts'
import type { Lexicon, Words } from './lexicon.ts'

const bakes = ['bread', 'focaccia', 'scones', 'banana bread', 'cinnamon rolls', 'pizza dough', 'bagels', 'brioche', 'pancakes', 'crackers']
const ways = ['sourdough', 'no knead', 'vegan', 'gluten free', 'wholemeal', 'overnight', 'rye']

const forRecipes: Words = {
  before: ['', 'easy', 'best', 'quick', 'homemade', 'soft', 'how to make', 'small batch', 'simple', 'fluffy', 'same day', 'traditional'],
  after: [
    '',
    'recipe',
    'uk',
    'for beginners',
    'without yeast',
    'in air fryer',
    'step by step',
    'in grams',
    'with discard',
    'by hand',
    'no mixer',
    'calories',
    'ideas',
    'baking time',
    'for two',
    'freezer',
  ],
}
const forGuides: Words = {
  before: [''],
  after: [
    '',
    'explained',
    'for beginners',
    'uk',
    'in fridge',
    'chart',
    'too long',
    'without scales',
    'guide',
    'sourdough',
    'in summer',
    'at home',
    'video',
    'reddit',
    'tips',
    'time',
  ],
}
const forGear: Words = {
  before: ['', 'best', 'cheap', 'buy', 'large', 'small', 'round', 'alternative to'],
  after: ['', 'uk', 'review', 'reviews', 'size', 'how to use', 'how to clean', 'near me', 'for beginners', 'gift', 'vs bowl', 'worth it'],
}

const guides = [
  'sourdough starter',
  'how to score bread',
  'bread flour substitute',
  'bakers percentages',
  'how long to proof dough',
  'dutch oven bread temperature',
  'why is my sourdough dense',
  'levain vs starter',
  'how to store bread',
  'autolyse',
  'windowpane test',
  'cold proof sourdough',
]

/** The Crumb Journal: a baking blog. */
export const blogLexicon: Lexicon = {
  brand: ['the crumb journal', 'crumb journal', 'crumb journal sourdough', 'thecrumbjournal', 'crumb journal focaccia'],
  words: forRecipes,
  sections: [
    {
      path: 'recipes/{slug}',
      subjects: [
        ...cross(ways, bakes),
        'chocolate babka',
        'lemon drizzle cake',
        'hot cross buns',
        'basque cheesecake',
        'cardamom buns',
        'apple galette',
        'tahini cookies',
        'stollen',
        'mince pies',
        'soda bread',
      ],
      weight: 3,
      position: 8,
      appearances: ['RECIPE_FEATURE'],
    },
    { path: 'guides/{slug}', subjects: guides, words: forGuides, weight: 6, position: 5 },
    {
      path: 'gear/{slug}',
      subjects: ['stand mixer for bread', 'banneton basket', 'bread lame', 'baking steel', 'dough whisk', 'baking scale'],
      words: forGear,
      weight: 2.5,
      position: 12,
      appearances: ['REVIEW_SNIPPET'],
    },
  ],
}
