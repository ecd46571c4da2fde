import PostalMime from 'postal-mime'

/** An accepted email. */
export interface Message {
  /** Increases, also across restarts. */
  readonly id: number
  readonly receivedAt: string
  /** The envelope's sender and recipients, which may differ from the headers. */
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly messageId: string | null
  /** In the email's order; keys in lower case. */
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly text: string | null
  readonly html: string | null
  readonly attachments: readonly { readonly filename: string | null; readonly mimeType: string; readonly size: number }[]
}

export interface Envelope {
  readonly from: string
  readonly to: readonly string[]
}

/** An attachment's content, and the name by which the HTML part refers to it, if it does (`cid:`). */
export interface Content {
  readonly contentId: string | null
  readonly bytes: Buffer
}

export type Parsed = Omit<Message, 'id' | 'receivedAt' | keyof Envelope> & {
  /** In the order of `attachments`. */
  readonly contents: readonly Content[]
}

/** Parses an email. */
export async function parseMail(source: Buffer): Promise<Parsed> {
  const mail = await PostalMime.parse(source, { attachmentEncoding: 'arraybuffer' })
  return {
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? null,
    headers: mail.headers.map(({ key, value }) => ({ key, value })),
    text: mail.text ?? null,
    html: mail.html ?? null,
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      filename,
      mimeType,
      size: bytesOf(content).byteLength,
    })),
    contents: mail.attachments.map(({ contentId, content }) => ({
      contentId: contentId?.replace(/^<|>$/g, '') ?? null,
      bytes: bytesOf(content),
    })),
  }
}

const bytesOf = (content: string | ArrayBuffer | Uint8Array): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content)
