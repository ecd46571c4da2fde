interface ImportMetaEnv {
  /** The product's version, from package.json. */
  readonly VERSION: string
}
