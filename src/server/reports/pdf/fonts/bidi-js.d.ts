declare module 'bidi-js' {
  type Levels = { levels: Uint8Array }
  type Bidi = {
    /** One level per UTF-16 unit; odd ones run right to left. */
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): Levels
    getMirroredCharacter(character: string): string | null
  }
  export default function createBidi(): Bidi
}
