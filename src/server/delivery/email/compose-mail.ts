import type { Composed } from '../../mail/render.ts'
import type { Message } from '../message.ts'
import { alertsMail } from './alerts-mail.ts'
import { digestMail } from './digest-mail.ts'
import type { About } from './pieces.ts'
import { testMail } from './test-mail.ts'

/** Composes an email from a message: subject, HTML and text. */
export function composeMail(message: Message, about: About): Composed {
  switch (message.kind) {
    case 'alerts':
      return alertsMail(message, about)
    case 'digest':
      return digestMail(message, about)
    case 'test':
      return testMail(message, about)
  }
}
