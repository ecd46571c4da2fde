import { screens } from '../contract/screens.ts'

/** Links are built from here, so that none can point at a screen that does not exist. */
export const paths = screens
