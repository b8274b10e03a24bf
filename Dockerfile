# The service as an image: Node on Alpine, and 11 MB of its own. The record is in the volume /data; the first start fills it with the sample.
#   docker build -t film-awards .
#   docker run -p 3000:3000 -v film-awards:/data -e AWARDS_ORIGIN=https://awards.example film-awards
# A key for writing: docker run --rm -v film-awards:/data film-awards keys create NAME
FROM node:24-alpine AS build
# For better-sqlite3 where there is no prebuilt binary.
RUN apk add --no-cache python3 make g++
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN deploy/install.sh /app

FROM node:24-alpine
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 AWARDS_DB=/data/awards.db AWARDS_DIST=/data/dist
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD node -e 'fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))'
# The service stops by itself on SIGTERM, after the open requests.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--single-threaded-gc", "--max-semi-space-size=4", "/app/build/cli/main.js"]
CMD ["start"]
