// What the bundler lets us import besides scripts.
/// <reference types="vite/client" />

/** Swagger UI as one file; what of it we use. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export default function SwaggerUI(options: Readonly<Record<string, unknown>>): unknown;
}
