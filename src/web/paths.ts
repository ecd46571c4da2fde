import { screens } from '../contract/screens.ts'

/** All links use these, so that none can point to a screen that doesn't exist. */
export const paths = screens
