declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.svg' {
  const text: string;
  export default text;
}
declare module '*.ndjson' {
  const text: string;
  export default text;
}
declare module '*.js' {
  const text: string;
  export default text;
}
declare module '*.png' {
  const path: string;
  export default path;
}
declare module '*.ico' {
  const path: string;
  export default path;
}
declare module '*.woff2' {
  const path: string;
  export default path;
}
declare module '*.txt' {
  const text: string;
  export default text;
}
