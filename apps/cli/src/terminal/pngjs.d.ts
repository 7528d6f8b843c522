/** Types for the part of pngjs that the terminal uses; the package has none. */
declare module 'pngjs' {
  /** `data`: red, green, blue and opacity of each pixel, row by row. */
  export interface Picture {
    readonly width: number
    readonly height: number
    readonly data: Buffer
  }
  export const PNG: { readonly sync: { readonly read: (bytes: Buffer) => Picture } }
}
