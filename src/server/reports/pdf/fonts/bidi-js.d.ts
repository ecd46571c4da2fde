declare module 'bidi-js' {
  type Levels = { levels: Uint8Array }
  type Bidi = {
    /** One level for each unit of UTF-16; odd ones run from right to left. */
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): Levels
    getMirroredCharacter(character: string): string | null
  }
  export default function createBidi(): Bidi
}
