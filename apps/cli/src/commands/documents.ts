// Issued documents: revoking one, and comparing a file with what was issued.
import type { DocumentFacts } from '@jiaowu/api/contract/student/verify'
import { readDocumentCode } from '@jiaowu/api/document-code'
import { t } from '@jiaowu/api/texts/index'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { fileFault } from '../files/file-fault.ts'
import { connect, startSession } from '../session/connect.ts'
import { confirmAct } from '../terminal/confirm.ts'

/** `revoke NUMBER`: a document that must not be used any more. It cannot be undone. */
export async function revokeDocument(
  line: CommandLine,
  number: string,
  { reason, yes }: { readonly reason?: string; readonly yes?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  if (reason === undefined) throw new CommandError(exitCodes.usage, t(locale, 'cli.needReason'))
  const { api } = connect(line)
  await confirmAct(line, t(locale, 'cli.revoke.ask', { number }), yes)
  const done = await api.verify.revoke({ body: { number, reason }, signal })
  output.done(done, t(locale, 'cli.revoke.done', { number: done.number }))
}

/**
 * `verify FILE.pdf`: whether a file is the document that the school issued, bit by bit. Needs no account. Exit code 7
 * for another file and for a revoked document.
 */
export async function verifyFile(
  line: CommandLine,
  path: string,
  { code: typed }: { readonly code?: string },
): Promise<void> {
  const { locale, output, signal } = line
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.cannotRead', { path, reason: fileFault(locale, error) }),
    )
  })
  const code = readDocumentCode(typed ?? findCode(bytes) ?? '')
  if (code === null) throw new CommandError(exitCodes.usage, t(locale, 'cli.verify.noCode'))
  const { status, document } = await startSession(line, null).api.verify.check({
    params: { code },
    signal,
  })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const isSame = document?.sha256 === sha256
  const verdict = document === null ? 'unknown' : isSame ? status : 'different'
  output.data({ verdict, sha256, document }, () => [
    ...(document === null ? [] : formatFacts(line, document)),
    t(locale, `cli.verify.${verdict}`),
  ])
  if (verdict !== 'valid') throw new CommandError(exitCodes.checksFailed, '')
}

/** The code among the keywords in the metadata of the file, which stand in it as plain text. */
function findCode(bytes: Buffer): string | null {
  const [, keywords = ''] = /<pdf:Keywords>([^<]*)</.exec(bytes.toString('latin1')) ?? []
  return keywords.split(' ').find((word) => readDocumentCode(word) !== null) ?? null
}

function formatFacts({ locale }: CommandLine, facts: DocumentFacts): readonly string[] {
  const { number, school, holder, studentNo, issuedAt, revokedAt } = facts
  return [
    `${number}  ${locale === 'en' ? school.nameEn : school.name}`,
    `${holder}  ${studentNo}`,
    t(locale, 'cli.verify.issued', { at: issuedAt }),
    ...(revokedAt === null ? [] : [t(locale, 'cli.verify.revokedAt', { at: revokedAt })]),
  ]
}
