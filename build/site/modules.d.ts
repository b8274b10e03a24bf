/** Modules without types of their own. */
declare module '*.css';

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerUiOptions {
    domNode: HTMLElement;
    spec: object;
    deepLinking?: boolean;
    defaultModelsExpandDepth?: number;
    displayRequestDuration?: boolean;
    docExpansion?: 'list' | 'full' | 'none';
    syntaxHighlight?: { theme: string };
    validatorUrl?: string | null;
    onComplete?: () => void;
  }
  export default function SwaggerUi(options: SwaggerUiOptions): unknown;
}
