import type { Lexicon, Words } from './lexicon.ts'

const forTreatments: Words = {
  before: ['', 'best', 'private', 'nhs', 'emergency', 'mobile', 'cheap', 'female'],
  after: [
    '',
    'near me',
    'seabury',
    'westport',
    'cost',
    'clinic',
    'appointment',
    'open saturday',
    'how many sessions',
    'reviews',
    'benefits',
  ],
}
const forConditions: Words = {
  before: ['', 'severe', 'chronic', 'physio for', 'mild', 'what causes'],
  after: [
    '',
    'treatment',
    'specialist near me',
    'physio seabury',
    'exercises',
    'physio westport',
    'symptoms',
    'at night',
    'recovery time',
    'massage',
  ],
}
const forClinics: Words = {
  before: ['', 'best', 'private', 'emergency'],
  after: ['', 'cost', 'reviews', 'opening times', 'parking', 'book online', 'open saturday'],
}
const forAdvice: Words = { before: [''], after: ['', 'nhs', 'pdf', 'video', 'at home', 'in bed', 'for over 60s', 'how often'] }
const forOwnPages: Words = { before: ['harbour lane physio'], after: ['', 'seabury'] }

/** Harbour Lane Physio: a practice in an invented coastal town. */
export const localLexicon: Lexicon = {
  brand: [
    'harbour lane physio',
    'harbour lane physiotherapy',
    'harbour lane clinic',
    'harbour lane physio opening times',
    'harbour lane physio reviews',
    'physio harbour lane',
  ],
  words: forTreatments,
  sections: [
    {
      path: 'treatments/{slug}',
      subjects: [
        'sports massage',
        'physiotherapy',
        'acupuncture',
        'shockwave therapy',
        'pregnancy physio',
        'dry needling',
        'running gait analysis',
        'post surgery rehab',
      ],
      weight: 5,
      position: 6,
    },
    {
      path: 'conditions/{slug}',
      subjects: [
        'back pain',
        'frozen shoulder',
        'tennis elbow',
        'sciatica',
        'plantar fasciitis',
        'knee pain',
        'whiplash',
        'neck pain',
        'shin splints',
        'hip bursitis',
      ],
      words: forConditions,
      weight: 2,
      position: 12,
    },
    {
      path: 'clinics/{slug}',
      subjects: ['physio seabury', 'physio westport', 'physio old harbour', 'physio marsh end'],
      words: forClinics,
      weight: 4,
      position: 3,
    },
    {
      path: 'advice/{slug}',
      subjects: [
        'exercises for sciatica',
        'ice or heat for back pain',
        'how long does a calf strain take to heal',
        'stretches for desk workers',
      ],
      words: forAdvice,
      weight: 2.5,
      position: 14,
    },
    { path: '{slug}', subjects: ['prices', 'book online', 'our team'], words: forOwnPages, weight: 1, position: 4 },
  ],
}
