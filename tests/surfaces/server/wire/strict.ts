interface Shape {
  readonly type: string
  readonly entries?: Readonly<Record<string, Shape>>
  readonly rest?: Shape | null
  readonly item?: Shape
  readonly items?: readonly Shape[]
  readonly value?: Shape
  readonly wrapped?: Shape
  readonly options?: readonly Shape[]
  readonly pipe?: readonly Shape[]
  getter?(value: unknown): Shape
  '~run'?(dataset: { readonly value: unknown }, config: object): { readonly issues?: unknown }
}

/**
 * The paths of keys in an answer that its schema does not name. valibot's schemas ignore them so
 * that clients work with newer servers; a server that claims this contract must not send them. Open
 * schemas (`looseObject`, `record`) are open here too.
 */
export function unknownKeys(schema: unknown, value: unknown, path = ''): string[] {
  const shape = schema as Shape
  if (shape.pipe !== undefined)
    return shape.pipe.flatMap((part) =>
      part.type === undefined || part === shape
        ? []
        : unknownKeys({ ...part, pipe: undefined }, value, path),
    )
  if (shape.wrapped !== undefined)
    return value === null || value === undefined ? [] : unknownKeys(shape.wrapped, value, path)
  if (shape.type === 'lazy' && shape.getter !== undefined)
    return unknownKeys(shape.getter(value), value, path)
  if (shape.type === 'array' && shape.item !== undefined && Array.isArray(value)) {
    const { item } = shape
    return value.flatMap((each, index) => unknownKeys(item, each, joinPath(path, index)))
  }
  if (shape.type === 'record' && shape.value !== undefined && isJsonObject(value)) {
    const { value: inner } = shape
    return Object.entries(value).flatMap(([name, each]) =>
      unknownKeys(inner, each, joinPath(path, name)),
    )
  }
  if ((shape.type === 'union' || shape.type === 'variant') && shape.options !== undefined) {
    const option = shape.options.find((each) => matchesShape(each, value))
    return option === undefined ? [] : unknownKeys(option, value, path)
  }
  if (shape.entries !== undefined && isJsonObject(value))
    return unknownEntries(shape.entries, shape.type === 'object', value, path)
  return []
}

/** `closed`: keys of the value that `entries` does not name are unknown too. */
function unknownEntries(
  entries: Readonly<Record<string, Shape>>,
  closed: boolean,
  value: Record<string, unknown>,
  path: string,
): string[] {
  const nested = Object.entries(entries).flatMap(([name, inner]) =>
    name in value ? unknownKeys(inner, value[name], joinPath(path, name)) : [],
  )
  if (!closed) return nested
  const own = Object.keys(value).filter((name) => !(name in entries))
  return [...nested, ...own.map((name) => joinPath(path, name))]
}

function joinPath(path: string, name: string | number): string {
  return typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function matchesShape(shape: Shape, value: unknown): boolean {
  return shape['~run']?.({ value }, {}).issues === undefined
}
