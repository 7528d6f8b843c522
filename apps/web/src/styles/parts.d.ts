// Parts of one sheet (vite-blueprint.ts).
declare module '*.css?part=start'
declare module '*.css?part=console'
