export type TwoFactorDialogProps = {
  /** `switched`: the second factor is now on, or off, and the button that opened the dialog is going away. */
  onClose: (switched: boolean) => void
  /** Gets the focus when the dialog is gone. */
  finalFocus: () => HTMLElement | null
}
