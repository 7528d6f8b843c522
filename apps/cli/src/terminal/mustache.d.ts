/** Types for the part of mustache that the terminal uses; the package has none. */
declare module 'mustache' {
  interface Mustache {
    readonly render: (
      template: string,
      view: unknown,
      partials: Readonly<Record<string, string>>,
      options: { readonly escape: (value: unknown) => string },
    ) => string
  }
  const mustache: Mustache
  export default mustache
}
