# The service and every other command; its database is a server of its own (docker-compose.yml).
FROM python:3.12-slim AS build
RUN pip install --no-cache-dir uv==0.13.9
ENV UV_PROJECT_ENVIRONMENT=/opt/studledger UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
RUN uv sync --no-dev --no-install-project
COPY domain domain
COPY projections projections
COPY services services
RUN uv sync --no-dev --no-editable

FROM python:3.12-slim
RUN useradd --system --user-group --no-create-home studledger \
    && install --directory --owner=studledger --group=studledger --mode=700 /var/lib/studledger
COPY --from=build /opt/studledger /opt/studledger
ENV PATH=/opt/studledger/bin:$PATH STUDLEDGER_DATA_DIR=/var/lib/studledger
USER studledger
VOLUME /var/lib/studledger
EXPOSE 8000
ENTRYPOINT ["studledger"]
CMD ["serve", "--host", "0.0.0.0"]
