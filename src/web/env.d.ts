interface ImportMetaEnv {
  /** Of the product, as package.json has it. */
  readonly VERSION: string
}
