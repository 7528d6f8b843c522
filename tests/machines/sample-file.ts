import * as v from 'valibot'

const sentence = v.strictObject({
  zh: v.pipe(v.string(), v.minLength(1)),
  en: v.pipe(v.string(), v.minLength(1)),
})

type Schemas = Readonly<Record<string, v.GenericSchema<unknown, object>>>
type SampleTables<S extends Schemas> = {
  readonly [Type in keyof S]: Readonly<Record<string, v.InferOutput<S[Type]>>>
}

/**
 * The samples of a file that testers edit (docs/testers.en.md#samples): `{ event: { name: { data, say } } }`.
 * @param file its name, for the error
 * @param schemas of the data, for each event whose samples are in the file
 * @throws Error that names the place of each fault
 */
export function readSampleFile<const S extends Schemas>(
  file: string,
  content: unknown,
  schemas: S,
): SampleTables<S> {
  const tables = Object.entries(schemas).map(([type, data]) => {
    const sample = v.strictObject({ data, say: sentence })
    const name = v.pipe(v.string(), v.regex(/^[a-zA-Z]\w*$/, 'a name has letters and digits only'))
    const table = v.pipe(
      v.record(name, sample),
      v.check((samples) => Object.keys(samples).length > 0, 'an event needs a sample'),
    )
    return [type, table] as const
  })
  const parsed = v.safeParse(v.strictObject(Object.fromEntries(tables)), content)
  if (!parsed.success) throw new Error([`${file}:`, ...parsed.issues.map(formatIssue)].join('\n'))
  return Object.fromEntries(
    Object.entries(parsed.output).map(([type, samples]) => [
      type,
      Object.fromEntries(Object.entries(samples).map(([name, { data }]) => [name, data])),
    ]),
  ) as SampleTables<S>
}

function formatIssue(issue: v.BaseIssue<unknown>): string {
  return `  ${(issue.path ?? []).map(({ key }) => String(key)).join(' → ')}: ${issue.message}`
}

/** The sentences of the samples, by event and sample as the recipes ask for them. */
export function listSampleSentences(
  content: Readonly<
    Record<string, Readonly<Record<string, { say: v.InferOutput<typeof sentence> }>>>
  >,
): Readonly<Record<string, readonly [zh: string, en: string]>> {
  return Object.fromEntries(
    Object.entries(content).flatMap(([type, samples]) =>
      Object.entries(samples).map(([name, { say }]) => [
        `${type}(${name})`,
        [say.zh, say.en] as const,
      ]),
    ),
  )
}
