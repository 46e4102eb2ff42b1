# Image with the dependencies of Headwater. The code is mounted at /app, the data at /app/data (docs/operate.md, "Containers").
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS dependencies
# The secrets are optional. They contain the mirrors, proxies and registry of the machine that builds, and are in no layer.
RUN --mount=type=secret,id=apt-sources,target=/etc/apt/sources.list.d/build.list \
    --mount=type=secret,id=apt-conf,target=/etc/apt/apt.conf.d/99build \
    apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates npm
WORKDIR /app
# .dockerignore leaves only the manifests of the packages that the server needs.
COPY . .
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    --mount=type=secret,id=npm-ca,target=/run/secrets/npm-ca \
    sh deploy/image/install.sh

FROM ${BASE}
COPY deploy/image/headwater.sh /usr/local/bin/headwater
# Node looks for packages in /app/packages/NAME/node_modules, /app/packages/node_modules, /app/node_modules and /node_modules. The links of
# the workspaces are relative (../../packages/NAME), so /packages and /examples lead to the mounted code.
COPY --from=dependencies /app/node_modules /node_modules
COPY --from=dependencies /app/package-lock.sha256 /usr/local/share/headwater/
RUN chmod 755 /usr/local/bin/headwater \
    && ln -s /node_modules/node/bin/node /usr/local/bin/node \
    && ln -s /app/packages /packages && ln -s /app/examples /examples \
    && mkdir -p /app/data /app/models /backups && chown 10001:10001 /app/data /backups
# The marker and the cache are outside of DATA_DIR and in a folder that a read-only container mounts as tmpfs.
ENV DATA_DIR=/app/data HOME=/tmp HEADWATER_CONTAINER_MARKER=/tmp/headwater/started NODE_COMPILE_CACHE=/tmp/headwater/compiled
# Not /app: the service would read the file .env of the code, which belongs to another user.
WORKDIR /
USER 10001:10001
EXPOSE 8000 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s CMD ["headwater", "healthy"]
ENTRYPOINT ["headwater"]
CMD ["serve"]
